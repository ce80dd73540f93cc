/**
 * Whether this value of the header `Authorization` is a scheme without a token: clients up to 3.5.3 that have none send it, and no
 * later ones.
 */
export const isEmptyBearer = (authorization: string | undefined): boolean =>
  /^Bearer\s*$/i.test(authorization ?? '')
