// What a form knows about its fields from the contract, and which fault that the service found belongs to which field.

/** What the service checks about a field, as attributes of its control. */
export type Limit = { required?: boolean; minLength?: number; maxLength?: number; min?: number; max?: number }

type Limits = Readonly<Record<string, Limit>>

/** Returns the limits of a field; one that the body doesn't have has none. */
export function shapeOf(body: Limits, field: string): Limit & { optional: boolean } {
  const limit = body[field] ?? {}
  return { ...limit, optional: limit.required !== true }
}

/** Returns the fault of a field, or of anything in it: an entry of a list, a part of an object. */
export function faultAt(faults: ReadonlyMap<string, string>, field: string): string | undefined {
  const own = faults.get(field)
  if (own !== undefined) return own
  for (const [path, message] of faults) if (path.startsWith(field) && /^[.[/]/.test(path.slice(field.length))) return message
  return undefined
}
