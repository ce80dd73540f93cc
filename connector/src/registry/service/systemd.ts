/** The registry as a service of Linux: a unit of systemd. */
import { withoutCompilers } from '../small.ts'

/** The account that runs it, and that nothing else runs as. */
export const serviceAccount = 'cardwire-registry'
export const unitName = 'cardwire-registry.service'
export const unitFile = `/etc/systemd/system/${unitName}`
/** Settings for it, NAME=value lines. */
const settingsFile = '/etc/cardwire/registry.conf'

/** `program`: where the connector lies; `base`: the folder of the service. systemd.exec(5), systemd.service(5). */
export function systemdUnit(program: string, base: string): string {
  // systemd makes what lies below /var/lib itself, and opens it in the sandbox.
  const state = base.startsWith('/var/lib/')
    ? [`StateDirectory=${base.slice('/var/lib/'.length)}`, 'StateDirectoryMode=0755']
    : [`ReadWritePaths=${quoted(base)}`]
  return `${[
    '[Unit]',
    'Description=Cardwire registry: tells pages which connector belongs to whom',
    'After=network.target',
    '',
    '[Service]',
    `ExecStart=${quoted(program)} registry --service`,
    `EnvironmentFile=-${settingsFile}`,
    `Environment=${quoted(`CARDWIRE_MACHINE_DIR=${base}`)}`,
    `Environment=${quoted(`HOME=${base}`)}`,
    ...Object.entries(withoutCompilers).map(([name, value]) => `Environment=${name}=${value}`),
    `User=${serviceAccount}`,
    `Group=${serviceAccount}`,
    ...state,
    'Restart=always',
    'RestartSec=1',
    'UMask=0022',
    ...hardening,
    '',
    '[Install]',
    'WantedBy=multi-user.target',
  ].join('\n')}\n`
}

const hardening = [
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'AmbientCapabilities=',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelLogs=yes',
  'ProtectControlGroups=yes',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RemoveIPC=yes',
  'LockPersonality=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallErrorNumber=EPERM',
  // It listens on loopback, and nobody else is to reach it.
  'IPAddressDeny=any',
  'IPAddressAllow=localhost',
  'MemoryMax=512M',
  'TasksMax=64',
]

/** Words with spaces, as systemd.syntax(7) quotes them; `%` begins a specifier, `$` a variable. */
const quoted = (text: string) =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`
