/** The table of layouts, beside what the C compiler makes of pcsc-lite's headers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getLayout, layouts } from './layout.ts'

// Windows' headers are not here; these are the sizes that winscard.h has by its own rules, as a structure of C.
const windows = `
#include <stdint.h>
typedef uint32_t DWORD; typedef uintptr_t SCARDHANDLE;
typedef struct { const uint16_t *szReader; void *pvUserData; DWORD dwCurrentState; DWORD dwEventState;
  DWORD cbAtr; unsigned char rgbAtr[36]; } SCARD_READERSTATE;
typedef struct { DWORD dwProtocol; DWORD cbPciLength; } SCARD_IO_REQUEST;`
const lite = '#include <stdint.h>\n#include <winscard.h>'

const program = (headers: string) => `${headers}
#include <stdio.h>
#include <stddef.h>
#define at(field) (int)offsetof(SCARD_READERSTATE, field)
int main(void) {
  printf("[%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d]",
    (int)sizeof(DWORD), (int)sizeof(SCARDHANDLE), (int)sizeof(SCARD_READERSTATE), at(szReader), at(dwCurrentState),
    at(dwEventState), at(cbAtr), at(rgbAtr), (int)sizeof(((SCARD_READERSTATE *)0)->rgbAtr),
    (int)sizeof(SCARD_IO_REQUEST), (int)offsetof(SCARD_IO_REQUEST, dwProtocol),
    (int)offsetof(SCARD_IO_REQUEST, cbPciLength));
}`

// Under __APPLE__ the headers pack their structures; SCARD_IO_REQUEST is of unsigned long there in pcsc-lite, while
// Apple's own winscard.h has uint32_t, so its last three are left out.
test.each([
  { platform: 'linux', headers: lite, flags: [], compared: 12 },
  { platform: 'darwin', headers: lite, flags: ['-D__APPLE__'], compared: 9 },
  { platform: 'win32', headers: windows, flags: [], compared: 12 },
] as const)('$platform has the sizes and offsets that a C compiler gives', async (row) => {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-layout-'))
  try {
    const [source, binary] = [join(folder, 'layout.c'), join(folder, 'layout')]
    await writeFile(source, program(row.headers))
    expect(
      Bun.spawnSync(['cc', '-I/usr/include/PCSC', ...row.flags, '-o', binary, source]).exitCode,
    ).toBe(0)
    const measured: unknown = JSON.parse(Bun.spawnSync([binary]).stdout.toString())
    const { dword, handle, readerState, ioRequest } = layouts[row.platform]
    expect(
      [
        dword,
        handle,
        readerState.size,
        readerState.name,
        readerState.current,
        readerState.event,
        readerState.atrLength,
        readerState.atr,
        readerState.maxAtrLength,
        ioRequest.size,
        ioRequest.protocol,
        ioRequest.length,
      ].slice(0, row.compared),
    ).toEqual(Array.isArray(measured) && measured.slice(0, row.compared))
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([
  { platform: 'linux', expected: 0x42000d48 },
  { platform: 'darwin', expected: 0x42000d48 },
  // CM_IOCTL_GET_FEATURE_REQUEST as Windows' drivers log it.
  { platform: 'win32', expected: 0x313520 },
])('$platform counts the control code for features as its headers do', ({ platform, expected }) => {
  const { base, factor } = getLayout(platform).control
  expect(base + 3400 * factor).toBe(expected)
})

test('layoutOf refuses a platform that the connector is not built for', () => {
  expect(() => getLayout('sunos')).toThrow('Cannot use PC/SC on "sunos"')
})
