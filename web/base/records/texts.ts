/** Texts of lists of records. */
export const listingTexts = {
  'listing.clear': 'Clear filters',
  'listing.none_found': 'Nothing matches your search and filters.',
  'listing.print_narrowed': 'Filters are on: what doesn’t match them is not on this list.',
  'listing.print_partial': 'Not everything had loaded when this list was printed.',
  'listing.csv': 'Download CSV',
  'listing.csv_says': 'Download the rows shown here',
  'listing.actions': 'Actions',
  'listing.choose': 'Select {name}',
  'listing.choose_all': 'Select all',
  'listing.choose_none': 'Select none',
  'listing.chosen': { one: '{n} selected', other: '{n} selected' },
  'listing.done': { one: '{n} done', other: '{n} done' },
  'listing.refused': { one: '{n} refused', other: '{n} refused' },
  'listing.not_allowed': 'This action isn’t available for this record.',
} as const
