// The library has no types of its own.
declare module "jq-web" {
  const jq: Promise<{ raw: (json: string, program: string, flags: string[]) => string }>;
  export default jq;
}
