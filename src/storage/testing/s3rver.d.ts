declare module "s3rver" {
  import type { Readable } from "node:stream";

  type Options = {
    port: number;
    address: string;
    silent: boolean;
    directory: string;
    configureBuckets: { name: string; configs: string[] }[];
  };
  type S3Object = {
    bucket: string;
    key: string;
    content: Buffer | Readable;
    metadata: object;
  };
  type Store = {
    getResourcePath(bucket: string, key: string, resource: "object"): string;
    putObject(object: S3Object): Promise<{ size: number; md5: string }>;
    putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
  };
  export default class S3rver {
    readonly store: Store;
    constructor(options: Options);
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
