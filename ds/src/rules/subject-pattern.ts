/** Whether the subject of a token matches a pattern of a federated credential. */

/**
 * `*` stands for one or more characters other than a colon and a slash; at the end of the pattern other than a colon. The contract lets
 * it stand only for whole parts.
 */
export function matchesSubject(pattern: string, subject: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const source = parts
    .map((part, index) => {
      if (index === 0) return part
      return (index === parts.length - 1 && part === '' ? '[^:]+' : '[^:/]+') + part
    })
    .join('')
  return new RegExp(`^${source}$`, 'u').test(subject)
}
