/** Whether everything is measured (`npm run test:long`) or the part that finds most (`npm test`). */
export const isLong = process.env.TEST_SIZE === "long";
