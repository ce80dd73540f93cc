/** Makes the offline key of the releases, and signs with it: `npm run release-key -w connector`. */
import { join, resolve } from 'node:path'
import process from 'node:process'
import { ReleaseError } from '../../.ci/packaging/written-at.ts'
import { writeSignature } from './manifest.ts'
import { getPublicKey, makeSigningKey, readSigningKey } from './signing-key.ts'

const help = `The key that signs manifests of releases: npm run release-key -w connector -- COMMAND

  make FILE            makes a key, and prints its public key for CARDWIRE_RELEASE_KEYS
  show FILE            prints the public key
  sign FILE FOLDER     signs FOLDER/manifest.json

  CARDWIRE_RELEASE_PASSPHRASE  encrypts the key that is made, and opens it later

Where the key lives, and how it is replaced: docs/install.md
`

function main([command, file, folder]: readonly string[]): string {
  const passphrase = process.env['CARDWIRE_RELEASE_PASSPHRASE'] || undefined
  // npm runs in the folder of the workspace.
  const at = (path: string) => resolve(process.env['INIT_CWD'] ?? '', path)
  if (command === 'make' && file) return `${makeSigningKey(at(file), passphrase)}\n`
  if (command === 'show' && file) return `${getPublicKey(readSigningKey(at(file), passphrase))}\n`
  if (command === 'sign' && file && folder)
    return `${writeSignature(join(at(folder)), readSigningKey(at(file), passphrase))}\n`
  if (command !== undefined && command !== '--help')
    throw new ReleaseError(
      `Cannot do that: expected make, show or sign with their files\n\n${help}`,
    )
  return help
}

try {
  process.stdout.write(main(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
