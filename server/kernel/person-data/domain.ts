// Person data in the audit log (`safety.md` §0.3): encrypted with a key of its record, so that destroying the key erases it and leaves the chain verifying. Pure.
import { isRecord } from '../../../shared/narrow.ts'
import type { Id } from '../../base/ids.ts'

/** A value as an entry of the audit log stores it. `key`: number of the key of its record. */
export type Ciphertext = { encrypted: string; key: number }

/** Returns whether a stored value is encrypted person data. Values of fields that aren't person data can look the same, so ask only about those that are. */
export const isCiphertext = (value: unknown): value is Ciphertext =>
  isRecord(value) && typeof value.encrypted === 'string' && typeof value.key === 'number'

/** What is stored in place of a value that was erased before the entry was written. */
export const ERASED = { erased: true } as const

/** Returns whether an entry says that a value was erased, in place of the value. */
export const isErased = (value: unknown): boolean => isRecord(value) && value.erased === true

/** Why a value can’t be read: its key was destroyed, or the key or the value is missing or damaged. */
export type Lost = 'erased' | 'unreadable'

/** What people see in place of a value that can’t be read. */
export const SHOWN: Record<Lost, string> = { erased: '[erased]', unreadable: '[unreadable]' }

/** A value as it is known now. */
export type Known = { value: unknown; lost: null } | { value: null; lost: Lost }

/** Returns what a value belongs to: it can’t be decrypted as that of another record or field. */
export const aboutValue = (kind: string, id: Id, field: string): string => `person_data ${kind} ${id} ${field}`

/** Returns what a key belongs to. */
export const aboutKey = (kind: string, id: Id): string => `person_key ${kind} ${id}`

type Fields = Readonly<Record<string, unknown>> | null

/** Lists the fields with person data that differ between two states of a row. */
export const touched = (personal: readonly string[], before: Fields, after: Fields): string[] =>
  personal.filter(field => JSON.stringify(before?.[field] ?? null) !== JSON.stringify(after?.[field] ?? null))
