/** A program: one route of Hono on Node that answers with a token made before. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { signToken } from './token.ts'

const data = await signToken()
const app = new Hono()
app.get('/v3/tokens/application', (context) => context.json({ success: true, data }))
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
  console.log(`listens on http://127.0.0.1:${port}`),
)
