/**
 * The types of files that pages write, by what follows the last dot of their names: documents that systems show with a program for them. None is run,
 * installed or mounted when a user opens it, changes what programs do, or reaches a server when a folder shows it.
 *
 * Older formats of Office may hold macros, and archives anything: systems treat what they find there by the mark of the file (`mark-file.ts`).
 */
const types = {
  text: 'csv json log md tsv txt xml',
  document: 'doc docx epub odg odp ods odt pages pdf ppt pptx rtf xls xlsx',
  image: 'avif bmp dcm gif heic heif jp2 jpeg jpg png tif tiff webp',
  sound: 'aac flac m4a mp3 oga ogg opus wav',
  video: 'm4v mkv mov mp4 webm',
  mail: 'eml ics vcf',
  /** CAdES, XAdES, ASiC and their national forms, OpenPGP, time stamps. */
  signature: 'adoc asc asice asics bdoc cades ddoc edoc p7m p7s sce scs sig tsr xades',
  /** HL7, xDT of German practices; bank statements of Belgium, MT940, EDIFACT. */
  exchange: 'bdt cod edi gdt hl7 ldt sta',
  /** Of no program. */
  data: 'bin dat',
  archive: 'zip',
} as const

export const documentTypes: ReadonlySet<string> = new Set(
  Object.values(types).flatMap((words) => words.split(' ')),
)

/** Only ASCII letters and digits end a known type: no other letter is taken for one of these. */
export function isDocument(name: string): boolean {
  const [, type] = /[^.]\.([a-z0-9]+)$/i.exec(name) ?? []
  return type !== undefined && documentTypes.has(type.toLowerCase())
}
