/** The connection of a page, for the hooks and components below. */
import {
  type CardwireConnection,
  type ConnectionOptions,
  createConnection,
} from '@cardwire/client/connection'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { CardwireContext } from './context.ts'

/** The options of the connection, or a connection. */
export interface CardwireProviderProps extends ConnectionOptions {
  /** A connection that the page has created itself, in place of the options. */
  readonly connection?: CardwireConnection | undefined
  /** The language of the texts (BCP 47); default: that of the page. */
  readonly language?: string | undefined
  readonly children?: ReactNode
}

/** Connects while it is shown. `getToken` may be another function in each rendering; the other options are those of the first one. */
export function CardwireProvider({
  connection: given,
  language,
  children,
  ...options
}: CardwireProviderProps) {
  const getToken = useRef(options.getToken)
  useEffect(() => {
    getToken.current = options.getToken
  })
  const [own] = useState(() =>
    createConnection({
      ...options,
      ...(options.getToken && {
        getToken: async (call: { readonly signal: AbortSignal }) =>
          (await getToken.current?.(call)) ?? '',
      }),
    }),
  )
  const connection = given ?? own
  // Also while no component below needs it, so that the next one finds it connected.
  useEffect(() => connection.subscribe(() => undefined), [connection])
  const shared = useMemo(() => ({ connection, language }), [connection, language])
  return <CardwireContext.Provider value={shared}>{children}</CardwireContext.Provider>
}
