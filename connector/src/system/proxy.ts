/** The proxy in the settings of Windows or macOS, which no environment variable names. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isLoopbackHost } from '@cardwire/protocol/loopback'
import { getWindowsSystemFolder } from './libraries/system-libraries.ts'

export interface ProxySettings {
  /** Host and port, by the scheme of the request. */
  readonly http?: string
  readonly https?: string
  /** Hosts without proxy: `*` matches anything, `<local>` a name without a dot. */
  readonly exceptions: readonly string[]
}

/** How long the command may take, in milliseconds. */
const timeoutMs = 2000

/** Full paths: Windows would search the current folder first. */
const commands: Partial<Record<NodeJS.Platform, () => readonly [string, ...string[]]>> = {
  win32: () => [
    `${getWindowsSystemFolder()}\\reg.exe`,
    'query',
    'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings',
  ],
  darwin: () => ['/usr/sbin/scutil', '--proxy'],
}

/** Undefined: none is set, or the system does not say. A proxy script (PAC) is not run. */
export async function readSystemProxy(
  platform: NodeJS.Platform = process.platform,
): Promise<ProxySettings | undefined> {
  const command = commands[platform]?.()
  if (command === undefined) return undefined
  const [program, ...args] = command
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      timeout: timeoutMs,
      windowsHide: true,
    })
    return platform === 'win32' ? parseWindowsProxy(stdout) : parseMacosProxy(stdout)
  } catch {
    return undefined
  }
}

/** Parses what `reg query` prints: a line per value, with name, type and data. */
export function parseWindowsProxy(text: string): ProxySettings | undefined {
  const values = new Map(
    [...text.matchAll(/^\s+(\w+)\s+REG_\w+\s+(.*?)\s*$/gm)].map(([, name = '', data = '']) => [
      name,
      data,
    ]),
  )
  const server = values.get('ProxyServer') ?? ''
  if (Number(values.get('ProxyEnable')) !== 1 || server === '') return undefined
  const exceptions = splitList(values.get('ProxyOverride') ?? '')
  if (!server.includes('=')) return { http: server, https: server, exceptions }
  const { http, https } = Object.fromEntries(
    splitList(server).map((part): [string, string] => {
      const [scheme = '', host = ''] = part.split('=')
      return [scheme.toLowerCase(), host]
    }),
  )
  return { ...(http && { http }), ...(https && { https }), exceptions }
}

/** Parses what `scutil --proxy` prints: a dictionary, with an array of exceptions. */
export function parseMacosProxy(text: string): ProxySettings | undefined {
  const value = (name: string) => new RegExp(`^\\s*${name} : (.*?)\\s*$`, 'm').exec(text)?.[1]
  const serverOf = (scheme: 'HTTP' | 'HTTPS') => {
    const host = value(`${scheme}Proxy`)
    if (value(`${scheme}Enable`) !== '1' || !host) return undefined
    return `${host}:${value(`${scheme}Port`) ?? '80'}`
  }
  const [http, https] = [serverOf('HTTP'), serverOf('HTTPS')]
  if (http === undefined && https === undefined) return undefined
  const [, array = ''] = /ExceptionsList : <array> \{([^}]*)\}/.exec(text) ?? []
  const exceptions = [...array.matchAll(/^\s*\d+ : (.*?)\s*$/gm)].map(([, name = '']) => name)
  if (value('ExcludeSimpleHostnames') === '1') exceptions.push('<local>')
  return { ...(http && { http }), ...(https && { https }), exceptions }
}

/** The address of the proxy for a request; empty: without proxy. */
export function findProxy(url: string, settings: ProxySettings | undefined): string {
  const { protocol, hostname } = new URL(url)
  const server = protocol === 'https:' ? settings?.https : settings?.http
  // This machine is always reached without proxy.
  if (settings === undefined || server === undefined || isLoopbackHost(hostname)) return ''
  if (settings.exceptions.some((exception) => matchesException(hostname, exception))) return ''
  return server.includes('://') ? server : `http://${server}`
}

function matchesException(hostname: string, exception: string): boolean {
  if (exception === '<local>') return !hostname.includes('.')
  const pattern = exception.split('*').map(RegExp.escape).join('.*')
  return new RegExp(`^${pattern}$`, 'i').test(hostname)
}

const splitList = (text: string) =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
