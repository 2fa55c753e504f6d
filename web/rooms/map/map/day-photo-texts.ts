/** Texts of the photos of days. */
export const dayPhotoTexts = {
  'day_photos.title': 'Photos',
  'day_photos.take': 'Take photo',
  'day_photos.none': 'No photos of the last two weeks.',
  'day_photos.of': 'Photos of {day}',
  'day_photos.earlier': 'Show earlier photos',
  'day_photos.taken': 'Taken {time}',
  'day_photos.other_day': 'Taken on another day: {time}',
  'day_photos.caption': 'Caption',
  'day_photos.edit': 'Edit caption',
  'day_photos.delete': 'Delete photo',
  'day_photos.deleted': 'The photo has been deleted.',
} as const
