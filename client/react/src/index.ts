'use client'
/** React components and hooks for pages that use the card readers of their users. */
export { CardwireBoundary, type CardwireBoundaryProps } from './boundary.tsx'
export { Connect, type ConnectProps } from './connect.tsx'
export { CardwireProvider, type CardwireProviderProps } from './provider.tsx'
export { type CardState, useCard } from './use-card.ts'
export { useConnection, useConnectionText } from './use-connection.ts'
export { type ReadersState, useReaders } from './use-readers.ts'
export {
  type SignedDigest,
  type SignRequest,
  type SignTaskOptions,
  useSign,
} from './use-sign.ts'
export { type SignInOptions, useSignIn } from './use-sign-in.ts'
export type { CardTask } from './use-task.ts'
