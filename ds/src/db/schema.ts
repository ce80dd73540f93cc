/** The tables. Times are milliseconds since 1970 (UTC), days are `YYYY-MM-DD` (UTC). */
export * from './schema/accounts.ts'
export * from './schema/audit.ts'
export * from './schema/devices.ts'
export * from './schema/labels.ts'
export * from './schema/limits.ts'
export * from './schema/signing-keys.ts'
export * from './schema/use.ts'
export * from './schema/versions.ts'
