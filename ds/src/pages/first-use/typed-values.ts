/** What people type in the first steps, as operations take it: names of files, addresses without `https://`, origins with a path. */
import { isLoopbackHost } from '@cardwire/protocol'
import type { PackageFile } from './packages-at-hand.ts'

/** In linear time: a regular expression would look for the end of the text from each quote in it. */
function unquote(text: string): string {
  const typed = text.trim()
  let [start, end] = [0, typed.length]
  while (start < end && `"'<`.includes(typed.charAt(start))) start += 1
  while (end > start && `"'>`.includes(typed.charAt(end - 1))) end -= 1
  return typed.slice(start, end)
}

/** `v4.0.0` is `4.0.0`. */
export const readTypedVersion = (text: string): string => unquote(text).replace(/^v(?=\d)/i, '')

/** The origins of a text, with anything between them that separates words. A service decides whether each is one. */
export const readTypedOrigins = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map(unquote)
      .filter(Boolean)
      .map(toOrigin),
  ),
]

/** `shop.example/cart` is `https://shop.example`. Only pages of this computer may come by http. */
function toOrigin(typed: string): string {
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/)?(.*)$/is.exec(
    // A port is no scheme: localhost:3000.
    typed.replace(/^(?=[^/?#]*:\d+(?:[/?#]|$))/, '//'),
  ) ?? ['', undefined, typed]
  const host = rest.replace(/[/?#].*$/s, '')
  if (scheme !== undefined) return `${scheme}://${host}`
  return `${isLoopbackHost(host.replace(/:\d+$/, '')) ? 'http' : 'https'}://${host}`
}

/** A name of a web server, and a path: the first part of a path of a file ends in digits, or in no name of letters. */
const webAddress = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?\//i

const drive = /^[a-z]:(?=\/)/i

/** The URL of an installer: of an uploaded file by its name or path, or that of a web server. */
export function readTypedInstaller(text: string, files: readonly PackageFile[]): string {
  const typed = unquote(text)
  if (typed === '' || /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(typed)) return typed
  const path = typed.replace(/^file:/i, '').replaceAll('\\', '/')
  const relative = path
    .replace(drive, '')
    .replace(/^(\.?\/)+/, '')
    .replace(/^.*\/packages\//, '')
  const found = files.find(({ name }) => name === relative)
  if (found) return found.uri
  if (webAddress.test(typed)) return `https://${typed}`
  // A folder of the service is meant as it was typed; one of another computer is not.
  const name = relative.slice(relative.lastIndexOf('/') + 1)
  const isNameEnough = name === relative || drive.test(path)
  const only = isNameEnough ? findOnly(files, (file) => endsWith(file, name)) : undefined
  return only?.uri ?? `file:///${relative}`
}

const endsWith = (file: PackageFile, name: string) => `/${file.name}`.endsWith(`/${name}`)

function findOnly<T>(values: readonly T[], matches: (value: T) => boolean): T | undefined {
  const [found, ...others] = values.filter(matches)
  return others.length === 0 ? found : undefined
}
