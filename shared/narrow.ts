// Narrowing of values whose type isn't known, in one place: what is read from outside is checked, not asserted.

/** Returns whether a value is an object and no list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the fields of a value; none if it isn't an object. */
export const fieldsIn = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** Returns a value if it is text, or else empty text. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns a value if it is text, or else null. */
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Returns the code of an error of the system or of a library, such as `ENOENT`; empty text if it has none. */
export const codeIn = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Returns the items of a value; none if it isn't a list. */
export const itemsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns whether a value is one of a list. */
export const isOneOf = <T>(list: readonly T[], value: unknown): value is T => list.some(one => one === value)

/** Returns the item of a list that was chosen in a control, which offers exactly this list. Anything else is our own mistake. */
export function chosenFrom<T extends string>(list: readonly T[], value: string): T {
  const found = list.find(one => one === value)
  if (found === undefined) throw new Error(`${value} isn’t one of ${list.join(', ')}.`)
  return found
}

/** Returns the keys of an object literal, whose type lists them all. */
export const keysOf = <T extends object>(object: T): (keyof T & string)[] => Object.keys(object) as (keyof T & string)[] // nothing else is in a literal

/** Returns an object with a value for each key of a list. */
export const recordOf = <K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map(key => [key, make(key)])) as Record<K, V> // made from each key

/** Returns an object with the same keys and new values. */
export const mapValues = <T extends object, V>(
  object: T,
  make: (value: T[keyof T & string], key: keyof T & string) => V,
): Record<keyof T & string, V> => recordOf(keysOf(object), key => make(object[key], key))

/** Returns an item of a list at an index that is known to be within it. */
export function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new Error(`The list has no item ${index}.`)
  return item
}

/** Returns the texts in a list; other values are left out. */
export const textsIn = (value: unknown): string[] => itemsIn(value).flatMap(item => (typeof item === 'string' ? item : []))
