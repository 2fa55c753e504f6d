// What other rooms show of the map. Everything behind this door is loaded when it is asked for: the library is as heavy as the rest of the app.
import { type ComponentProps, lazy, Suspense } from 'react'
import { Bones } from '../../base/kit/note.tsx'

const Permits = lazy(() => import('./permits-map.tsx'))
const Picker = lazy(() => import('./place-picker.tsx'))
const Inset = lazy(() => import('./inset.tsx'))

/** Permits of a list on the map of now. */
export const PermitsMap = (given: ComponentProps<typeof Permits>) => (
  <Suspense fallback={<Bones rows={1} height={420} />}>
    <Permits {...given} />
  </Suspense>
)

/** Chooses where a permit is: a point or an area on the map. */
export const PlacePicker = (given: ComponentProps<typeof Picker>) => (
  <Suspense fallback={<Bones rows={1} height={420} />}>
    <Picker {...given} />
  </Suspense>
)

/** A small picture of where a permit is, and where those are that it conflicts with. */
export const PlaceInset = (given: ComponentProps<typeof Inset>) => (
  <Suspense fallback={<Bones rows={1} height={220} />}>
    <Inset {...given} />
  </Suspense>
)
