/** The methods by which a page can be requested. */
export const requestMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"] as const;
export type RequestMethod = (typeof requestMethods)[number];

/** A body has no meaning with GET and HEAD. */
export const takesBody = (method: RequestMethod): boolean => method !== "GET" && method !== "HEAD";
