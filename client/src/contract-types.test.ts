/** The types that pages see, which are written out with a description of each field, are those of the contract. */

import type * as contract from '@cardwire/protocol'
import type { EnvelopeData } from '@cardwire/protocol/call'
import { expectTypeOf, test } from 'vitest'
import type { AuthenticationToken } from './authentication-token.ts'
import type { ConnectorProblem } from './connector-problem.ts'
import type { BrowserInformation, DeviceCertificate } from './core-service.ts'
import type { FileEntry, FileList, FileType } from './file-types.ts'
import type { CardAddress, CardBiometric, CardPicture } from './identity.ts'
import type { Info } from './info.ts'
import type { Module } from './module.ts'
import type { CardService, Reader } from './reader.ts'

/** What a page gets is not for it to change. */
type ReadOnly<T> = T extends object ? { readonly [Name in keyof T]: ReadOnly<T[Name]> } : T

/** The fields of these names are base64 in the contract. */
type Decoded<T, Names extends keyof T> = {
  readonly [Name in keyof T]: Name extends Names ? Uint8Array<ArrayBuffer> : T[Name]
}

test('readers, modules and what a connector says about itself are those of the contract', () => {
  expectTypeOf<Reader>().toEqualTypeOf<ReadOnly<contract.Reader>>()
  expectTypeOf<CardService>().toEqualTypeOf<ReadOnly<contract.CardService>>()
  expectTypeOf<Module>().toEqualTypeOf<ReadOnly<contract.Module>>()
  expectTypeOf<Info>().toEqualTypeOf<ReadOnly<contract.Info>>()
  type Certificate = EnvelopeData<typeof contract.getDeviceCertificate>
  expectTypeOf<DeviceCertificate>().toEqualTypeOf<ReadOnly<Certificate>>()
  type Browser = EnvelopeData<typeof contract.getBrowser>
  expectTypeOf<BrowserInformation>().toEqualTypeOf<ReadOnly<Browser>>()
})

test('what a card says about its holder is that of the contract, with its bytes decoded', () => {
  type Biometric = Decoded<contract.CardBiometric, 'rawData' | 'signature' | 'pictureHash'>
  expectTypeOf<CardBiometric>().toEqualTypeOf<Biometric>()
  expectTypeOf<CardAddress>().toEqualTypeOf<
    Decoded<contract.CardAddress, 'rawData' | 'signature'>
  >()
  expectTypeOf<CardPicture>().toEqualTypeOf<
    Decoded<contract.CardPicture, 'picture' | 'signature'>
  >()
  expectTypeOf<AuthenticationToken>().toEqualTypeOf<ReadOnly<contract.AuthenticationToken>>()
})

test('types, files and lists of them are those of the contract', () => {
  expectTypeOf<FileType>().toEqualTypeOf<ReadOnly<contract.FileType>>()
  expectTypeOf<FileEntry>().toEqualTypeOf<ReadOnly<contract.FileEntry>>()
  expectTypeOf<FileList>().toEqualTypeOf<ReadOnly<contract.FileList>>()
})

type Problems = typeof contract.problems

test('the problems of a connector are those that have a code for legacy clients', () => {
  type Wired = {
    [Name in keyof Problems]: Problems[Name] extends { readonly wire: string } ? Name : never
  }[keyof Problems]
  expectTypeOf<ConnectorProblem>().toEqualTypeOf<Wired>()
})
