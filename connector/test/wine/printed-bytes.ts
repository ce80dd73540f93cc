/** Every byte, and some that a text would change. */
export const printedBytes = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  Buffer.from('\x1b%-12345X@PJL\r\n^XA^FO20,20^FDZoë^FS^XZ\0'),
])
