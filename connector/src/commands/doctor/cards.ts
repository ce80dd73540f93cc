/** Checks the card service and its readers. */
import type { FindingCode } from '../../languages/finding-codes.ts'
import { createSandboxEnvironment } from '../../sandbox/environment.ts'
import type { PcscState, Reader } from '../../sandbox/readers/readers.ts'
import { superviseReaders } from '../../sandbox/readers/sandbox-supervisor.ts'
import { type CommandContext, getSelfCommand } from '../command-context.ts'
import { checkTimeoutMs, type Finding } from './finding.ts'

export async function checkCards({ settings }: CommandContext): Promise<readonly Finding[]> {
  const readers = superviseReaders({
    command: getSelfCommand('sandbox'),
    log: { warn: () => undefined, error: () => undefined },
    env: createSandboxEnvironment(settings),
  })
  await readers.ready(checkTimeoutMs)
  const snapshot = readers.snapshot()
  await readers.stop()
  const service = toPcscFinding(snapshot.pcsc, process.platform)
  if (snapshot.pcsc.kind === 'down') return [service]
  return [service, toReadersFinding(snapshot.readers, process.platform)]
}

export function toPcscFinding(state: PcscState, platform: string): Finding {
  if (state.kind === 'up')
    return {
      level: 'good',
      code: 'card-service-good',
      what: 'the smart card service is responding',
    }
  return {
    level: 'bad',
    code: chooseCode(state.code),
    what: `the smart card service cannot be reached: ${state.reason}`,
    remedy: chooseRemedy(state.code, platform),
  }
}

function chooseCode(code: string): FindingCode {
  if (code === 'SCARD_W_SECURITY_VIOLATION') return 'card-service-forbidden'
  return code.startsWith('LIBRARY_') ? 'card-service-missing' : 'card-service-down'
}

function chooseRemedy(code: string, platform: string): string {
  // pcscd allows only sessions that polkit calls active (pcscd's org.debian.pcsc-lite.policy).
  if (code === 'SCARD_W_SECURITY_VIOLATION') {
    return 'sign in at the computer itself, or add a polkit rule that allows this user org.debian.pcsc-lite.access_pcsc'
  }
  if (platform === 'win32') return 'start the service "Smart Card": sc start SCardSvr'
  if (platform === 'darwin') return 'connect a reader; macOS then starts the service'
  return code.startsWith('LIBRARY_')
    ? 'install it: apt-get install pcscd (dnf install pcsc-lite, pacman -S pcsclite)'
    : 'start it: systemctl start pcscd.socket'
}

export const toReadersFinding = (readers: readonly Reader[], platform: string): Finding =>
  readers.length > 0
    ? {
        level: 'good',
        code: 'readers-good',
        what: `readers: ${readers.map(({ name, card }) => `${name}${card ? ' (with a card)' : ''}`).join(', ')}`,
      }
    : {
        level: 'note',
        code: 'readers-none',
        what: 'no reader is connected',
        remedy:
          platform === 'darwin'
            ? `connect one; if macOS 14 or later does not see it, ask an administrator to choose the other driver: ${otherDriver}`
            : 'connect one; if it is connected, check that its driver (libccid) is installed',
      }

// SmartCardServices(7) of macOS 14.
const otherDriver =
  'sudo defaults write /Library/Preferences/com.apple.security.smartcard useIFDCCID -bool yes'
