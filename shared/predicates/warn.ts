// Finds out from the text of a condition alone whether it is always true or always false.
import { type AnySubject, fieldOf, type Leaf, namedIn, nodeOf, type Predicate, type PredicateWarning } from './language.ts'
import { formOf, meant, moves } from './literals.ts'

const NOWHEN = { now: '', timezone: 'UTC' }

/** Returns the value of a condition if it is the same for every record; null if it depends on the record, as far as can be seen. */
export function constantOf(subject: AnySubject, predicate: Predicate): boolean | null {
  const node = nodeOf(subject, predicate)
  switch (node.is) {
    case 'constant':
      return node.value
    case 'leaf':
      return leafConstant(subject, node.leaf)
    case 'all':
    case 'any':
      return listConstant(subject, node.parts, node.is === 'all')
    case 'not': {
      const inner = constantOf(subject, node.inner)
      return inner === null ? null : !inner
    }
  }
}

/** `all` is false if one part is false or two parts exclude each other; `any` is the opposite. */
function listConstant(subject: AnySubject, parts: readonly Predicate[], neutral: boolean): boolean | null {
  const values = parts.map(part => constantOf(subject, part))
  if (values.includes(!neutral)) return !neutral
  if (values.every(value => value === neutral)) return neutral
  const leaves = parts.flatMap(part => {
    const node = nodeOf(subject, part)
    return node.is === 'leaf' ? [node.leaf] : []
  })
  const there = (op: 'is_set' | 'is_not_set') => new Set(leaves.filter(leaf => leaf.op === op).map(leaf => leaf.field))
  const unset = there('is_not_set')
  if ([...there('is_set')].some(field => unset.has(field))) return !neutral
  if (!neutral) return null
  // A field can't equal two values, or be compared while it is not set.
  const equal = new Map<string, unknown>()
  for (const leaf of leaves) {
    if (leaf.op !== 'is_set' && leaf.op !== 'is_not_set' && (unset.has(leaf.field) || (leaf.ref !== undefined && unset.has(leaf.ref))))
      return false
    if (leaf.op !== 'eq' || leaf.value === undefined || moves(leaf.value)) continue
    const field = fieldOf(subject, leaf.field)
    if (field === undefined) continue
    const value = meant(formOf(field, 'eq').type, leaf.value, NOWHEN)
    if (equal.has(leaf.field) && equal.get(leaf.field) !== value) return false
    equal.set(leaf.field, value)
  }
  return null
}

function leafConstant(subject: AnySubject, leaf: Leaf): boolean | null {
  const field = fieldOf(subject, leaf.field)
  if (field === undefined) return null
  if (leaf.ref === leaf.field && ['ne', 'lt', 'gt', 'before', 'after'].includes(leaf.op)) return false
  if (Array.isArray(leaf.value)) {
    if (leaf.value.length === 0) return leaf.op === 'in' || leaf.op === 'overlaps' ? false : null
    if (leaf.op === 'between' && !moves(leaf.value)) {
      const { type } = formOf(field, leaf.op)
      const [from, to] = leaf.value.map(value => meant(type, value, NOWHEN))
      if (from === undefined || to === undefined) return null
      // A range of instants or times of day excludes its end; only times of day can pass midnight.
      const none = type === 'local_time' ? from === to : type === 'instant' ? from >= to : from > to
      return none ? false : null
    }
  }
  return null
}

/** Returns warnings for parts that are always true or always false: for the innermost such parts, and for the whole condition if it is constant because of them. */
export function constantWarnings(subject: AnySubject, predicate: Predicate, at: string): PredicateWarning[] {
  const warnings: PredicateWarning[] = []
  const warn = (path: string, value: boolean) => {
    if (warnings.some(w => w.path === path)) return
    warnings.push(
      value ? { path, code: 'always_true', message: 'matches everything.' } : { path, code: 'always_false', message: 'matches nothing.' },
    )
  }
  const walk = (part: Predicate, path: string): void => {
    const named = typeof part !== 'boolean' && namedIn(subject, part) !== null
    const node = nodeOf(subject, part)
    if (node.is === 'constant') return
    // Don't look inside a named predicate, because the caller did not write it.
    if (node.is === 'leaf' || named) {
      const value = constantOf(subject, part)
      if (value !== null) warn(path, value)
      return
    }
    if (node.is === 'not') walk(node.inner, `${path}.not`)
    else for (const [i, inner] of node.parts.entries()) walk(inner, `${path}.${node.is}[${i}]`)
    const value = constantOf(subject, part)
    if (value !== null && !warnings.some(w => w.path.startsWith(`${path}.`))) warn(path, value)
  }
  const whole = constantOf(subject, predicate)
  if (whole !== null) warn(at, whole)
  walk(predicate, at)
  return warnings
}
