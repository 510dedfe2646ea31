/** Whether this is the long run, which tests everything (`npm run test:long`), or the short one (`npm test`). */
export const isLong = process.env.TEST_SIZE === "long";
