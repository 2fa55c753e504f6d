// The order of a list as data, and where its next page begins. Pure: `queries.ts` makes SQL of it.

/** One key of an order. `column` is a column or an expression over the columns of the row (`lower(name)`). */
export type Key = { by: string; descending: boolean; nulls: 'first' | 'last' | null }

/**
 * Reads an order: column names, `-` before a descending one, `?first` or `?last` after one that can be null, for example
 * `['?first contractor_id', 'start_time', 'lower(name)']`. `id` is added at the end if it isn't there, so that the order is complete.
 */
export function keysOf(order: readonly string[]): Key[] {
  const keys = order.map((text): Key => {
    const match = /^(?:\?(first|last) )?(-)?(\w+|lower\(\w+\))$/.exec(text)
    if (match === null) throw new Error(`“${text}” isn’t a valid sort key.`)
    const [, nulls, minus, by = ''] = match
    return { by, descending: minus !== undefined, nulls: nulls === 'first' || nulls === 'last' ? nulls : null }
  })
  return keys.some(key => key.by === 'id') ? keys : [...keys, { by: 'id', descending: keys.at(-1)?.descending ?? false, nulls: null }]
}

/** A condition of the next page: earlier keys are equal to the last row’s, and this one is beyond it. */
export type Beyond = { equal: readonly number[]; key: number; how: 'greater' | 'less' | 'greater or null' | 'less or null' | 'is not null' }

/**
 * Returns the conditions of the rows after the last one of a page, of which one must be true; null values are ordered as their key says. A key that
 * nothing can be beyond (null at the end) is left out.
 */
export function beyond(keys: readonly Key[], last: readonly (string | number | null)[]): Beyond[] {
  return keys.flatMap((key, i): Beyond[] => {
    const equal = keys.slice(0, i).map((_, at) => at)
    const value = last[i] ?? null
    if (value === null) return key.nulls === 'first' ? [{ equal, key: i, how: 'is not null' }] : []
    const how = key.descending ? 'less' : 'greater'
    return [{ equal, key: i, how: key.nulls === 'last' ? `${how} or null` : how }]
  })
}
