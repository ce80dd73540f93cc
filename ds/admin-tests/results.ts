/** What was found, by proof and by screen; and as a table. */

export interface Results {
  add(proof: string, screen: string, findings: readonly string[]): void
  /** The screens of a proof that have findings, with them. */
  find(proof: string): Readonly<Record<string, readonly string[]>>
  /** A row for each proof: how many screens, and how many findings. */
  describe(): string
}

export function createResults(): Results {
  const proofs = new Map<string, Map<string, readonly string[]>>()
  return {
    add(proof, screen, findings) {
      const screens = proofs.get(proof) ?? new Map()
      proofs.set(proof, screens.set(screen, findings))
    },
    find: (proof) =>
      Object.fromEntries(
        [...(proofs.get(proof) ?? [])].filter(([, findings]) => findings.length > 0),
      ),
    describe() {
      const rows = [...proofs].map(([proof, screens]) => {
        const findings = [...screens.values()].flat().length
        return `${proof.padEnd(32)}${String(screens.size).padStart(8)}${String(findings).padStart(10)}`
      })
      return [`${'Proof'.padEnd(32)} screens  findings`, ...rows].join('\n')
    },
  }
}
