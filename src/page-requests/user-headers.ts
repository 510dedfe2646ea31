export type Header = [name: string, value: string];

const maxCount = 10;
const maxBytes = 8 * 1024;

const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;
const refusedName =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|forwarded|via|(metadata|proxy-|sec-|x-forwarded-|x-aws-ec2-).*)$/i;
const control = /\p{Cc}/u;

/** Whether a user may have these headers sent to the monitored origin (E9). */
export function areUserHeadersAllowed(headers: Header[]): boolean {
  let bytes = 0;
  for (const [name, value] of headers) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (!token.test(name) || refusedName.test(name) || control.test(value)) return false;
  }
  return headers.length <= maxCount && bytes <= maxBytes;
}
