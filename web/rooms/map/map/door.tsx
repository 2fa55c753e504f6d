// What other rooms show of the map. Everything behind this door is loaded on demand, because the map library is as large as the rest of the app.
import { type ComponentProps, Suspense } from 'react'
import { Skeleton } from '../../../base/kit/note.tsx'
import { part } from '../../../base/part.tsx'

export { labelStylesSaved, useLabelStyles } from './label-styles-data.ts'
export { LABELLED, labelText } from './looks.ts'

const Permits = part(() => import('./permits-map.tsx'))
const Picker = part(() => import('./place-picker.tsx'))
const Inset = part(() => import('./inset.tsx'))
const Help = part(() => import('./nearest-help.tsx'))
const Members = part(() => import('./members-inset.tsx'))
const Sample = part(() => import('./parts/label-sample.tsx'))
const Lines = part(() => import('./clashes/inset.tsx'))

/** Permits of a list on the current map. */
export const PermitsMap = (given: ComponentProps<typeof Permits>) => (
  <Suspense fallback={<Skeleton rows={1} height={420} />}>
    <Permits {...given} />
  </Suspense>
)

/** Chooses where a permit is: a point or an area on the map. */
export const PlacePicker = (given: ComponentProps<typeof Picker>) => (
  <Suspense fallback={<Skeleton rows={1} height={420} />}>
    <Picker {...given} />
  </Suspense>
)

/** A small picture of where a permit is, and where the permits are that it conflicts with. */
export const PlaceInset = (given: ComponentProps<typeof Inset>) => (
  <Suspense fallback={<Skeleton rows={1} height={220} />}>
    <Inset {...given} />
  </Suspense>
)

/** A small picture of the lines between the two sides of several clashes. */
export const ClashInset = (given: ComponentProps<typeof Lines>) => (
  <Suspense fallback={<Skeleton rows={1} height={220} />}>
    <Lines {...given} />
  </Suspense>
)

/** A small picture of where members of a smart group are. */
export const MembersInset = (given: ComponentProps<typeof Members>) => (
  <Suspense fallback={<Skeleton rows={1} height={220} />}>
    <Members {...given} />
  </Suspense>
)

/** A label as the map draws it. */
export const LabelSample = (given: ComponentProps<typeof Sample>) => (
  <Suspense fallback={null}>
    <Sample {...given} />
  </Suspense>
)

/** Where the nearest first aid, fire point and assembly point are from a place. */
export const NearestHelp = (given: ComponentProps<typeof Help>) => (
  <Suspense fallback={<Skeleton rows={3} />}>
    <Help {...given} />
  </Suspense>
)
