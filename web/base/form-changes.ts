// What a person changed in a form.

/** The fields of a form. */
export type Fields = Readonly<Record<string, unknown>>

const plain = (value: unknown): string => (value === undefined || value === null || value === '' ? '' : JSON.stringify(value))

/** Returns whether two values of a field are the same; an empty field counts as one that was never filled in. */
export const sameField = (a: unknown, b: unknown): boolean => plain(a) === plain(b)

/** Returns the fields that differ from those that a form starts with, with the values that they started with. */
export function differences(start: Fields, values: Fields): { changed: Fields; was: Fields } {
  const names = Object.keys(values).filter(name => !sameField(values[name], start[name]))
  const pick = (from: Fields) => Object.fromEntries(names.map(name => [name, from[name]]))
  return { changed: pick(values), was: pick(start) }
}
