// What a piece of work on the demo site is, and what people wear for it.
import type { ContractorKey } from './site.ts'
import type { Spot } from './spots.ts'

/** A piece of work that is repeated in several places. */
export type Job = {
  contractor: ContractorKey
  types: readonly string[]
  title: string
  work: string
  controls: string
  hazards: readonly string[]
  ppe: readonly string[]
  spots: readonly Spot[]
}

/** What people wear, by kind of work. */
export const BASIC = ['Hard hat', 'Safety boots', 'Hi-vis vest', 'Gloves']
export const HOT = [...BASIC, 'Welding visor', 'Flame-retardant overalls']
export const HEIGHT = [...BASIC, 'Harness with twin lanyard', 'Chin strap']
export const GAS = [...BASIC, 'Escape set', 'Personal gas monitor', 'Harness and tripod']
export const ARC = [...BASIC, 'Arc-rated coverall', 'Insulated gloves', 'Face shield']
