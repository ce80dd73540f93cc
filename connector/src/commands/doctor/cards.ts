/** The doctor on the card service and its readers. */
import { type PcscState, type Reader, superviseReaders } from '../../readers/readers.ts'
import { sandboxEnvironment } from '../../sandbox/role.ts'
import { type Machine, selfCommand } from '../machine.ts'
import { type Finding, patienceMs } from './finding.ts'

export async function cards({ settings }: Machine): Promise<readonly Finding[]> {
  const readers = superviseReaders({
    command: selfCommand('sandbox'),
    log: () => undefined,
    env: sandboxEnvironment(settings),
  })
  await readers.ready(patienceMs)
  const snapshot = readers.snapshot()
  await readers.stop()
  const service = pcscFinding(snapshot.pcsc, process.platform)
  if (snapshot.pcsc.kind === 'down') return [service]
  return [service, readersFinding(snapshot.readers, process.platform)]
}

export function pcscFinding(state: PcscState, platform: string): Finding {
  if (state.kind === 'up') return { level: 'good', what: 'the card service answers' }
  return {
    level: 'bad',
    what: `the card service cannot be reached: ${state.reason}`,
    todo: advice(state.code, platform),
  }
}

function advice(code: string, platform: string): string {
  // pcscd lets in only whom polkit calls active (pcscd's org.debian.pcsc-lite.policy).
  if (code === 'SCARD_W_SECURITY_VIOLATION') {
    return 'log in at the machine itself, or let this user in with a polkit rule for org.debian.pcsc-lite.access_pcsc'
  }
  if (platform === 'win32') return 'start the service "Smart Card": sc start SCardSvr'
  if (platform === 'darwin') return 'connect a reader: macOS starts the service then'
  return code.startsWith('LIBRARY_')
    ? 'install it: apt-get install pcscd (dnf install pcsc-lite, pacman -S pcsclite)'
    : 'start it: systemctl start pcscd.socket'
}

export const readersFinding = (readers: readonly Reader[], platform: string): Finding =>
  readers.length > 0
    ? {
        level: 'good',
        what: `readers: ${readers.map(({ name, card }) => `${name}${card ? ' (with a card)' : ''}`).join(', ')}`,
      }
    : {
        level: 'note',
        what: 'no reader is connected',
        todo:
          platform === 'darwin'
            ? `connect one; if macOS 14 or later does not see it, an administrator chooses the other driver: ${otherDriver}`
            : 'connect one, or see whether its driver is installed (libccid)',
      }

// SmartCardServices(7) of macOS 14.
const otherDriver =
  'sudo defaults write /Library/Preferences/com.apple.security.smartcard useIFDCCID -bool yes'
