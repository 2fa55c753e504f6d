/** The texts of area stops, which are loaded with their page. */
export const stopTexts = {
  'stops.empty': 'No work is stopped on this site.',
  'stops.count': { one: '{n} area stop', other: '{n} area stops' },
  'stops.lifted_too': 'With those that are over',
  'stops.find': 'Find an area stop',
  'stops.active': 'Active',
  'stops.lifted': 'Lifted',
  'stops.by': '{name}, {time}',
  'stops.lifted_by': 'Lifted by {name}, {time}: {note}',
  'stops.waiting': { one: '{n} permit still has to be revalidated', other: '{n} permits still have to be revalidated' },
  'stops.none_waiting': 'No permit still has to be revalidated.',
  'stops.revalidated': 'Revalidated by {name}, {time}',
  'stops.not_needed': 'No longer live',
  'stops.needs': 'To be revalidated',
  'stops.unchecked': {
    one: '{n} live permit without a place: check it on site',
    other: '{n} live permits without a place: check them on site',
  },
  'stops.lift': 'Lift the stop',
  'stops.lift.title': 'Lift the area stop',
  'stops.lift.look':
    'Look at the place before you lift the stop. Permits that haven’t been revalidated stay stopped: lifting the stop doesn’t let their work go on.',
  'stops.lift.note': 'What you saw at the place',
  'stops.was_lifted': 'The stop was lifted.',
  'stops.begin': 'Stop work in an area',
} as const
