/** The registry as a service of Linux: a unit of systemd. */
import { exitCodes } from '../../distribution/policy/enforce.ts'
import { lowMemoryFlags } from '../memory-flags.ts'
import { maxDescriptors, memoryMax } from './limits.ts'

/** The account that it runs as, used by nothing else. */
export const serviceAccount = 'cardwire-registry'
export const unitName = 'cardwire-registry.service'
export const unitFile = `/etc/systemd/system/${unitName}`
/** Settings, NAME=value lines: those of the package, of the machine, and its own; the last one wins. */
const settingsFiles = ['installed', 'cardwire', 'registry'].map(
  (name) => `/etc/cardwire/${name}.conf`,
)

/** `program`: the path of the connector; `base`: the folder of the service. systemd.exec(5), systemd.service(5). */
export function createSystemdUnit(program: string, base: string): string {
  // systemd creates a folder below /var/lib itself, and makes it writable in its sandbox.
  const state = base.startsWith('/var/lib/')
    ? [`StateDirectory=${base.slice('/var/lib/'.length)}`, 'StateDirectoryMode=0755']
    : [`ReadWritePaths=${quoteArgument(base)}`]
  return `${[
    '[Unit]',
    'Description=Cardwire registry: tells pages which connector belongs to whom',
    'After=network.target',
    // However often it ends, it is started again, unless its end is an order.
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    `ExecStart=${quoteArgument(program)} registry --service`,
    ...settingsFiles.map((file) => `EnvironmentFile=-${file}`),
    `Environment=${quoteArgument(`CARDWIRE_MACHINE_DIR=${base}`)}`,
    `Environment=${quoteArgument(`HOME=${base}`)}`,
    ...Object.entries(lowMemoryFlags).map(([name, value]) => `Environment=${name}=${value}`),
    `User=${serviceAccount}`,
    `Group=${serviceAccount}`,
    ...state,
    'Restart=always',
    `RestartPreventExitStatus=${Object.values(exitCodes).join(' ')}`,
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
  'PrivateMounts=yes',
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
  'SystemCallFilter=~@privileged @resources',
  'SystemCallErrorNumber=EPERM',
  // No IPAddressDeny: the distribution service and the resolver of its name can be anywhere. It listens on loopback only.
  `LimitNOFILE=${maxDescriptors}`,
  `MemoryMax=${memoryMax}`,
  'TasksMax=64',
]

/** An argument as systemd.syntax(7) quotes it; `%` begins a specifier, `$` a variable. */
const quoteArgument = (text: string) =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`
