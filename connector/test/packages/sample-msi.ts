/** A small package for Windows, and a certificate to sign it with that nobody else trusts. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** As wixl reads it: one file of 300 kB. */
const source = `<?xml version="1.0"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Id="7c4ddc2c-4e0a-4f6e-8d0e-0f5f2f7c7a01" Name="Sample" Language="1033" Version="1.0.0"
      Manufacturer="Sample" UpgradeCode="7c4ddc2c-4e0a-4f6e-8d0e-0f5f2f7c7a02">
    <Package InstallerVersion="500" Compressed="yes" InstallScope="perMachine"/>
    <Media Id="1" Cabinet="sample.cab" EmbedCab="yes"/>
    <Directory Id="TARGETDIR" Name="SourceDir">
      <Directory Id="ProgramFilesFolder">
        <Directory Id="Sample" Name="Sample">
          <Component Id="Data" Guid="7c4ddc2c-4e0a-4f6e-8d0e-0f5f2f7c7a03">
            <File Id="Data" Source="data.bin" KeyPath="yes"/>
          </Component>
        </Directory>
      </Directory>
    </Directory>
    <Feature Id="All" Level="1"><ComponentRef Id="Data"/></Feature>
  </Product>
</Wix>
`

/** Makes it in `folder`; returns its path. */
export function makeSampleMsi(folder: string): string {
  writeFileSync(join(folder, 'sample.wxs'), source)
  writeFileSync(join(folder, 'data.bin'), randomBytes(300_000))
  execFileSync('wixl', ['--output', 'sample.msi', 'sample.wxs'], { cwd: folder })
  return join(folder, 'sample.msi')
}

export interface Signer {
  /** The command for CARDWIRE_SIGN_WINDOWS. */
  readonly command: string
  /** The file of the certificate, PEM. */
  readonly certificate: string
}

/** Makes key and certificate in `folder`. `options`: of osslsigncode. */
export function makeSigner(folder: string, ...options: readonly string[]): Signer {
  const [key, certificate] = [join(folder, 'signer.key'), join(folder, 'signer.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=A signer of tests'],
      ...['-addext', 'extendedKeyUsage=codeSigning'],
    ],
    { stdio: 'ignore' },
  )
  const command = ['osslsigncode', 'sign', '-certs', certificate, '-key', key, ...options]
  return { command: command.join(' '), certificate }
}

/** Whether the signature of a file is right, as osslsigncode sees it. */
export function verifySignature(file: string, { certificate }: Signer): boolean {
  try {
    execFileSync('osslsigncode', ['verify', '-CAfile', certificate, '-in', file], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}
