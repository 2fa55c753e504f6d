// What JSON columns contain. It is declared once, by the code that owns the table:
//
//   declare module '../../../base/json-columns.ts' {
//     interface JsonColumns { 'shift.breaks': Break[] }
//   }

/** What JSON columns contain, by `table.column`. Nullable ones say so themselves: `X | null`. */
// biome-ignore lint/suspicious/noEmptyInterface: rooms add to it.
export interface JsonColumns {}

/** What a JSON column contains, by its `table.column`; unknown if its owner doesn't say. */
export type JsonIn<C extends string> = C extends keyof JsonColumns ? JsonColumns[C] : unknown
