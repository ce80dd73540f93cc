/** The library for web pages: the readers and cards of the user in front of a page. */
import { createBrowserPorts } from './browser.ts'
import type { Configuration } from './configuration.ts'
import type { CardwireClient } from './core-service.ts'
import { initializeWith } from './initialize.ts'
import type { InitializeOptions } from './initialize-options.ts'

export type { AuthenticationToken } from './authentication-token.ts'
export { type Copied, copyCodeWord, newCodeWord } from './code-word.ts'
export { type Configuration, type Connection, installerUrl } from './configuration.ts'
export type { ConnectorProblem } from './connector-problem.ts'
export type {
  BrowserInformation,
  CallOptions,
  Card,
  CardCertificate,
  CardwireClient,
  ConsentOptions,
  DeviceCertificate,
  HashAlgorithm,
  PinDialogOptions,
  RawCard,
  ReaderChange,
  ReaderEventOptions,
  SignOptions,
  WaitOptions,
} from './core-service.ts'
export { CardwireError, type CardwireFailure } from './error.ts'
export type { CardAddress, CardBiometric, CardIdentity, CardPicture } from './identity.ts'
export type { Info } from './info.ts'
export type { InitializeOptions } from './initialize-options.ts'
export type { CardwireErrorKind, RefusalKind } from './kind.ts'
export type { Module } from './module.ts'
export type { CardService, InsertedCard, Reader } from './reader.ts'
export type { Reason } from './reason.ts'

/**
 * Finds the user's connector and resolves with a client for it. Rejects with a `CardwireError`. If the user's consent is missing, its
 * `client` asks for it.
 */
export const initialize = (
  configuration: Configuration = {},
  options: InitializeOptions = {},
): Promise<CardwireClient> => initializeWith(createBrowserPorts(), configuration, options)
