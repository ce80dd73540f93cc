/** Files of the repository that the running service reads. Bundled into ds/dist, this stands as deep as here. */

export const migrations = new URL('../../drizzle', import.meta.url)
