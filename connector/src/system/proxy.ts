/** The proxy that a person, or their administrator, has set in Windows or macOS: there no variable names it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface ProxySettings {
  /** Host and port, by the scheme of what is asked. */
  readonly http?: string
  readonly https?: string
  /** Names that are asked without it: `*` is anything, `<local>` a name without a dot. */
  readonly exceptions: readonly string[]
}

/** Until the system has answered, in milliseconds. */
const patienceMs = 2000

/** Whole paths: Windows would look in the folder that we were started in first. */
const commands: Partial<Record<NodeJS.Platform, () => readonly [string, ...string[]]>> = {
  win32: () => [
    `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\reg.exe`,
    'query',
    'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings',
  ],
  darwin: () => ['/usr/sbin/scutil', '--proxy'],
}

/** undefined: none is set, or the system does not say. A script that finds one (PAC) is not run. */
export async function systemProxy(
  platform: NodeJS.Platform = process.platform,
): Promise<ProxySettings | undefined> {
  const command = commands[platform]?.()
  if (command === undefined) return undefined
  const [program, ...args] = command
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      ...{ timeout: patienceMs, windowsHide: true },
    })
    return platform === 'win32' ? windowsProxy(stdout) : macosProxy(stdout)
  } catch {
    return undefined
  }
}

/** Of what `reg query` prints: a line per value, with name, type and data. */
export function windowsProxy(text: string): ProxySettings | undefined {
  const values = new Map(
    [...text.matchAll(/^\s+(\w+)\s+REG_\w+\s+(.*?)\s*$/gm)].map(([, name = '', data = '']) => [
      name,
      data,
    ]),
  )
  const server = values.get('ProxyServer') ?? ''
  if (Number(values.get('ProxyEnable')) !== 1 || server === '') return undefined
  const exceptions = listed(values.get('ProxyOverride') ?? '')
  if (!server.includes('=')) return { http: server, https: server, exceptions }
  const { http, https } = Object.fromEntries(
    listed(server).map((part): [string, string] => {
      const [scheme = '', host = ''] = part.split('=')
      return [scheme.toLowerCase(), host]
    }),
  )
  return { ...(http && { http }), ...(https && { https }), exceptions }
}

/** Of what `scutil --proxy` prints: a dictionary, with an array of exceptions. */
export function macosProxy(text: string): ProxySettings | undefined {
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

/** The address of the proxy for what is asked; empty: it is asked directly. */
export function proxyFor(url: string, settings: ProxySettings | undefined): string {
  const { protocol, hostname } = new URL(url)
  const server = protocol === 'https:' ? settings?.https : settings?.http
  if (settings === undefined || server === undefined || isOwn(hostname)) return ''
  if (settings.exceptions.some((exception) => isNamed(hostname, exception))) return ''
  return server.includes('://') ? server : `http://${server}`
}

/** This machine: systems ask it directly, whatever is set. */
const isOwn = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname)

function isNamed(hostname: string, exception: string): boolean {
  if (exception === '<local>') return !hostname.includes('.')
  const pattern = exception.split('*').map(RegExp.escape).join('.*')
  return new RegExp(`^${pattern}$`, 'i').test(hostname)
}

const listed = (text: string) =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
