/** Where `npm run migration -w ds` reads the tables, and writes what changed about them. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'sqlite', schema: './src/db/schema.ts', out: '../drizzle' })
