/** Returns the rows whose text contains every typed word. */
export function narrowed<R>(rows: readonly R[], typed: string, textsOf: (row: R) => readonly (string | null | undefined)[]): readonly R[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter(row => {
    const text = textsOf(row)
      .filter(part => part != null)
      .join(' ')
      .toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** Returns rows by group, in the order in which the groups first appear; all in one without a heading if there are no groups. */
export function grouped<R, H>(
  rows: readonly R[],
  groupOf: ((row: R) => { key: string; head: H }) | undefined,
): { key: string; head: H | null; rows: readonly R[] }[] {
  if (groupOf === undefined) return [{ key: '', head: null, rows }]
  const groups = new Map<string, { key: string; head: H; rows: R[] }>()
  for (const row of rows) {
    const { key, head } = groupOf(row)
    const group = groups.get(key) ?? { key, head, rows: [] }
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()]
}
