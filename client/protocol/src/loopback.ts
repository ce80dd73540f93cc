/** What leads to this machine: the loopback addresses, and the host names that stand for them. */

/** Whether an address, as the system writes it, is in 127.0.0.0/8 (RFC 1122 §3.2.1.3) or ::1 (RFC 4291 §2.5.3). */
export const isLoopbackAddress = (address: string): boolean =>
  /^(127(\.\d{1,3}){3}|::1)$/.test(address)

/** Whether the host of an address, as `URL` writes it, is localhost or a loopback address. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[(.*)\]$/, '$1'))

/** The same for browsers, which resolve every name below localhost to this machine (RFC 6761 §6.3); other programs may not. */
export const isLoopbackHostInBrowsers = (hostname: string): boolean =>
  isLoopbackHost(hostname) || /.\.localhost$/.test(hostname)
