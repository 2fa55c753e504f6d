// Checks a condition as it was entered: reports every fault at once, each with its path and a code, and warnings.
import { isOneOf, isRecord } from '../narrow.ts'
import {
  type AnyField,
  type AnySubject,
  BETWEEN_FIELDS,
  type FaultCode,
  fieldOf,
  isPredicate,
  type Leaf,
  LIMITS,
  memberOf,
  namedIn,
  nodeOf,
  type Operator,
  operatorsOf,
  type Predicate,
  type PredicateFault,
  type PredicateWarning,
  type Refs,
} from './language.ts'
import { formOf, literalFault } from './literals.ts'
import { constantWarnings } from './warn.ts'

/** The result of a check: the condition if it has no faults, otherwise null with the faults. */
export type Checked = { predicate: Predicate | null; faults: PredicateFault[]; warnings: PredicateWarning[] }

const DEEPEST_VALUE = LIMITS.depth * 2 + 6
const FAULTS_AT_MOST = 100

/** Returns whether values are nested too deeply, without recursion. */
function tooNested(value: unknown): boolean {
  let layer: unknown[] = [value]
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > DEEPEST_VALUE) return true
    layer = layer.flatMap(v => (Array.isArray(v) ? v : isRecord(v) ? Object.values(v) : []))
  }
  return false
}

/** Checks a condition on a subject. `at`: its path in the body, put before each path. */
export function checked(subject: AnySubject, value: unknown, refs: Refs, at: string): Checked {
  const faults: PredicateFault[] = []
  const warnings: PredicateWarning[] = []
  const fault = (path: string, code: FaultCode, message: string): undefined => {
    if (faults.length < FAULTS_AT_MOST) faults.push({ path, code, message })
  }
  if (tooNested(value)) {
    fault(at, 'too_deep', `is nested more than ${LIMITS.depth} levels deep.`)
    return { predicate: null, faults, warnings }
  }
  if (new TextEncoder().encode(JSON.stringify(value) ?? '').length > LIMITS.bytes) {
    fault(at, 'too_large', `is larger than ${LIMITS.bytes / 1024} KiB.`)
    return { predicate: null, faults, warnings }
  }
  let nodes = 0

  function node(one: unknown, path: string, depth: number): undefined {
    nodes++
    if (nodes > LIMITS.nodes) {
      if (nodes === LIMITS.nodes + 1) fault(at, 'too_large', `contains more than ${LIMITS.nodes} conditions.`)
      return
    }
    if (depth > LIMITS.depth) return fault(path, 'too_deep', `is nested more than ${LIMITS.depth} levels deep.`)
    if (typeof one === 'boolean') return
    if (!isRecord(one)) return fault(path, 'wrong_type', 'must be true, false or a condition.')
    if ('field' in one) return leaf(one, path)
    const keys = Object.keys(one)
    const [key] = keys
    if (key === undefined || keys.length > 1)
      return fault(
        path,
        keys.includes('op') ? 'unknown_field' : 'wrong_type',
        keys.includes('op') ? 'must contain a field.' : 'must have exactly one key: all, any, not, or the name of a condition.',
      )
    const inner = one[key]
    const under = `${path}.${key}`
    if (key === 'all' || key === 'any') {
      if (!Array.isArray(inner)) return fault(under, 'wrong_type', 'must be a list of conditions.')
      for (const [i, part] of inner.entries()) node(part, `${under}[${i}]`, depth + 1)
      return
    }
    if (key === 'not') return node(inner, under, depth + 1)
    const found = namedIn(subject, one)
    if (found === null) return fault(under, 'unknown_operator', `isn’t a condition of ${subject.label}.`)
    const written = found.named.expand(found.args)
    if (written === null) return fault(under, 'wrong_type', `must be ${found.named.takes}.`)
    // A fault inside a named predicate is a fault of its arguments, because the caller did not write the rest.
    const before = faults.length
    node(written, under, depth)
    for (const one of faults.slice(before)) one.path = under
  }

  function leaf(one: Record<string, unknown>, path: string): undefined {
    const { op } = one
    for (const key of Object.keys(one))
      if (!['field', 'op', 'value', 'ref'].includes(key)) fault(`${path}.${key}`, 'wrong_type', 'can’t be part of a condition on a field.')
    const field = fieldOf(subject, one.field)
    if (field === undefined) fault(`${path}.field`, 'unknown_field', `isn’t a field of ${subject.label}.`)
    if (op === undefined) fault(`${path}.op`, 'unknown_operator', 'is required.')
    if (field === undefined || op === undefined) return
    const operators = operatorsOf(field)
    if (!isOneOf(operators, op)) return fault(`${path}.op`, 'unknown_operator', `must be one of ${operators.join(', ')}.`)
    const operator = op
    if (operator === 'is_set' || operator === 'is_not_set') {
      for (const key of ['value', 'ref']) if (key in one) fault(`${path}.${key}`, 'wrong_type', `can’t be used with ${operator}.`)
      return
    }
    if ('value' in one && 'ref' in one) return fault(`${path}.ref`, 'wrong_type', 'can’t be given together with value.')
    if ('ref' in one) return other(field, operator, one.ref, path)
    if (one.value === undefined || one.value === null)
      return fault(`${path}.value`, 'missing_value', `is required: ${operator} compares the field with a value.`)
    values(field, operator, one.value, `${path}.value`)
  }

  function other(field: AnyField, op: Operator, path: unknown, at: string): undefined {
    const second = fieldOf(subject, path)
    if (second === undefined) return fault(`${at}.ref`, 'unknown_field', `isn’t a field of ${subject.label}.`)
    if (!BETWEEN_FIELDS.includes(op) || memberOf(field.type) !== null)
      return fault(`${at}.op`, 'unknown_operator', `can’t compare two fields; ${BETWEEN_FIELDS.join(', ')} can.`)
    if (field.expanded || second.expanded) return fault(`${at}.ref`, 'wrong_type', 'can’t be compared with another field.')
    if (second.type !== field.type) fault(`${at}.ref`, 'wrong_type', `has type ${second.type}, but ${field.path} has type ${field.type}.`)
  }

  function values(field: AnyField, op: Operator, value: unknown, path: string): undefined {
    const { form, type } = formOf(field, op)
    if (form === 'truth') {
      if (typeof value !== 'boolean') fault(path, 'wrong_type', 'must be true or false.')
      return
    }
    if (form === 'one') return literal(field, type, value, path)
    if (!Array.isArray(value))
      return fault(path, 'wrong_type', form === 'range' ? 'must be a list of two values: from and to.' : 'must be a list.')
    if (form === 'range' && value.length !== 2) return fault(path, 'wrong_type', 'must be a list of two values: from and to.')
    if (value.length > LIMITS.literals) return fault(path, 'too_large', `contains more than ${LIMITS.literals} values.`)
    for (const [i, one] of value.entries()) literal(field, type, one, `${path}[${i}]`)
  }

  function literal(field: AnyField, type: Parameters<typeof literalFault>[1], value: unknown, path: string): undefined {
    const wrong = literalFault(field, type, value)
    if (wrong !== null) return fault(path, wrong.code, wrong.message)
    if (field.refers === undefined || typeof value !== 'string') return
    if (type === 'id') {
      const there = refs.ids.get(field.refers)
      if (there !== undefined && !there.has(value.toLowerCase()))
        fault(path, 'dead_reference', `refers to a ${field.refers.replaceAll('_', ' ')} that doesn’t exist on this site.`)
    } else if (type === 'code') {
      const all = refs.codes.get(field.refers)
      if (all !== undefined && !all.includes(value))
        warnings.push({ path, code: 'code_not_on_site', message: nearMiss(value, all, field.refers) })
    }
  }

  node(value, at, 1)
  if (faults.length > 0 || !isPredicate(value)) return { predicate: null, faults, warnings: [] }
  return { predicate: value, faults, warnings: [...warnings, ...constantWarnings(subject, value, at)] }
}

/** Describes a code that the site doesn't have, with the one that was probably meant. */
export function nearMiss(code: string, all: readonly string[], what: string): string {
  const near =
    all.find(one => one.toLowerCase() === code.toLowerCase()) ?? all.find(one => distance(one.toLowerCase(), code.toLowerCase()) === 1)
  return near === undefined ? `${code}: this site has no such ${what.replaceAll('_', ' ')}.` : `${code}: did you mean ${near}?`
}

/** Returns the number of letters to change, add or remove to turn one word into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}

/**
 * Finds the ids and codes in a condition, by what they refer to, so that they can be looked up before it is checked. Accepts any value; one
 * that isn't a condition contains none.
 */
export function namesIn(subject: AnySubject, value: unknown): Map<string, { type: 'id' | 'code'; values: Set<string> }> {
  const out = new Map<string, { type: 'id' | 'code'; values: Set<string> }>()
  let left = LIMITS.nodes
  const walk = (one: unknown, depth: number): void => {
    if (!isRecord(one) || depth > LIMITS.depth || left-- <= 0) return
    const field = fieldOf(subject, one.field)
    if (field?.refers !== undefined) {
      const type = memberOf(field.type) ?? field.type
      if (type !== 'id' && type !== 'code') return
      const entry = out.get(field.refers) ?? { type, values: new Set<string>() }
      out.set(field.refers, entry)
      const given = Array.isArray(one.value) ? one.value.slice(0, LIMITS.literals) : [one.value]
      for (const v of given)
        if (typeof v === 'string' && literalFault(field, type, v) === null) entry.values.add(type === 'id' ? v.toLowerCase() : v)
      return
    }
    for (const inner of [one.all, one.any]) if (Array.isArray(inner)) for (const part of inner) walk(part, depth + 1)
    if ('not' in one) walk(one.not, depth + 1)
    const found = namedIn(subject, one)
    const written = found?.named.expand(found.args) ?? null
    if (written !== null) walk(written, depth + 1)
  }
  walk(value, 1)
  return out
}

/** Lists every comparison as it was written in a condition, with its path. The condition must have no faults. */
export function leavesOf(subject: AnySubject, predicate: Predicate, at: string): { path: string; leaf: Leaf }[] {
  const node = nodeOf(subject, predicate)
  switch (node.is) {
    case 'constant':
      return []
    case 'leaf':
      return [{ path: at, leaf: node.leaf }]
    case 'not':
      return leavesOf(subject, node.inner, `${at}.not`)
    case 'all':
    case 'any':
      return node.parts.flatMap((part, i) => leavesOf(subject, part, `${at}.${node.is}[${i}]`))
  }
}

/** Returns the number of parts in a condition. */
export function sizeOf(subject: AnySubject, predicate: Predicate): number {
  const node = nodeOf(subject, predicate)
  if (node.is === 'constant' || node.is === 'leaf') return 1
  return 1 + (node.is === 'not' ? sizeOf(subject, node.inner) : node.parts.reduce((sum, part) => sum + sizeOf(subject, part), 0))
}
