/** Files of the repository that the running service reads. The bundle in ds/dist lies as deep, so the path is the same. */

export const migrations = new URL('../../drizzle', import.meta.url)

/** The folder of the documents that the admin console shows. */
export const documents = new URL('../../docs/', import.meta.url)
