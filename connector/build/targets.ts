/** The systems a binary is built for. */
import type { Platform } from '@cardwire/protocol'

export interface Target {
  readonly name: string
  /** As Bun calls it (bun.sh/docs/bundler/executables). */
  readonly bun: string
  readonly suffix: string
  /** As a version's installer calls it. */
  readonly os: Platform
}

export const targets: readonly Target[] = [
  { name: 'linux-x64', bun: 'bun-linux-x64', suffix: '', os: 'UNIX' },
  { name: 'linux-arm64', bun: 'bun-linux-arm64', suffix: '', os: 'UNIX' },
  { name: 'windows-x64', bun: 'bun-windows-x64', suffix: '.exe', os: 'WIN64' },
  { name: 'darwin-x64', bun: 'bun-darwin-x64', suffix: '', os: 'MACOS' },
  { name: 'darwin-arm64', bun: 'bun-darwin-arm64', suffix: '', os: 'MACOSARM' },
]
