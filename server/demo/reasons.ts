// What the people of the demo site write when they take a step.

/** Reasons that people of the demo site give for a step. */
export const REASONS = {
  reject: [
    'The method puts people under the lift. Plan it from the north side and submit again.',
    'Two trades in one bay: the scaffold strike has it until Friday.',
    'No rescue plan that fits this space. The one attached is for the tank, not for the manhole.',
    'Hot work beside the open LPG store is not accepted.',
    'The crane pad was not released by the designer.',
  ],
  corrections: [
    'Name the fire watch, and say who isolates the detectors.',
    'The lift plan is revision A; the current one is revision C.',
    'Say how the level below is kept clear.',
    'The services drawing is older than the diversion. Attach the new one.',
    'The window runs past the noise limit of 18:00.',
    'Who is the attendant? Name a person, not a contractor.',
  ],
  withdraw: [
    'Delivery moved to next week.',
    'Merged with the permit for level 5.',
    'Weather: high winds forecast.',
    'Requested twice by mistake.',
  ],
  longer: [
    'Second crew joins; the west bays are left.',
    'Half a day lost to rain.',
    'Blocks came late, two bays to finish.',
    'Inspection moved to tomorrow morning.',
  ],
  /** Why the work can go on despite red conflicts with other permits. */
  despite: [
    'The other crew has this level in the afternoon only; both supervisors have agreed the hours.',
    'A fire watch is between the two, and the entry is closed while there are sparks.',
    'The slab between the two is cast, and the riser is sealed.',
    'The lift is paused while anyone is below. The banksman has both radios.',
    'They are at opposite ends of the level, with barriers in between.',
  ],
  lapsed: ['Capping layer is one load short.', 'Tray delivery came after lunch; one corridor left.'],
  absent: 'had to leave the site. The crew has stopped; I have walked the area and it is safe.',
  failed: 'The extinguishers were not at the work front, and sprinklers above were still live. No work today.',
} as const
/** Controls that reviewers add. */
export const CONTROLS = {
  stage1: [
    'Tell the trades on the level below before you start.',
    'Keep the hoist lobby free.',
    'Deliveries via Gate 1 only, before 09:00.',
  ],
  stage2: [
    'Stop work above 9 m/s at the crane.',
    'Ivy Doran walks the area before the first spark.',
    'Photograph the made-safe area at close-out.',
  ],
} as const
