// The red conflicts that are left on the demo site on purpose: pairs of permits that shouldn't be near each other, and how far each of them is.

/** A permit of a story: its work, its place, and what has become of it. */
export type Part = {
  /** Title of the work, and its place. */
  title: string
  place: string
  until: 'requested' | 'endorsed' | 'approved' | 'issued'
  /** Working days from today; 0: its window includes now. */
  day: number
  /** Why it was approved despite the red conflict. */
  despite?: string
}

const TANK = 'Clean and inspect break tank'
const STAIR = 'Weld stair stringers'

/** The parts of each story follow each other. */
export const STORIES: readonly Part[] = [
  // Hot work above a confined space, one level apart: approved despite it, and both are live.
  { title: TANK, place: 'Energy centre basement, tank T3', until: 'issued', day: 0 },
  {
    ...{ title: STAIR, place: 'Energy centre ground floor, stair', until: 'issued', day: 0 },
    despite:
      'The slab between the two is cast and its openings are sealed. The tank is empty of people while there are sparks; both attendants have radios.',
  },
  // The same again in Block A tomorrow: the hot work is waiting for its approval.
  { title: TANK, place: 'Block A basement, tank T1', until: 'approved', day: 1 },
  { title: 'Cut and grind cast-in channels', place: 'Block A ground floor, grid 1–2/A–B', until: 'endorsed', day: 1 },
  // Panels are hoisted above a scaffold.
  { title: 'Erect independent scaffold', place: 'Block A ground floor, east side', until: 'approved', day: 2 },
  { title: 'Hoist unitised panels', place: 'Block A level 8, east side', until: 'requested', day: 2 },
  // Someone in a manhole, and the excavator next to it.
  { title: 'Enter manhole to bench and connect', place: 'MH5', until: 'endorsed', day: 3 },
  { title: 'Excavate foul drain', place: 'MH4 to MH5', until: 'requested', day: 3 },
]
