/** The texts of outlines from other sources: metres from a point, the device's position, or a file. */
export const findingTexts = {
  'find.first': 'Find your site first, for example by its coordinates or your position.',
  'find.my_position': 'Go to my location',
  'find.found_you': 'This is your location, accurate to {n} m.',
  'find.no_position': 'Your device didn’t share its location. Allow it in the browser, move outdoors, or use coordinates.',
  'find.address': 'Address',
  'find.search': 'Find address',
  'find.nothing': 'No places were found. Try fewer words, or use coordinates.',
  'find.coordinates': 'Coordinates',
  'find.coordinates_hint': 'Latitude, longitude: for example 51.505, -0.02',
  'find.no_coordinates': 'Enter latitude and longitude, separated by a comma.',
  'find.walk': 'Walk the corners',
  'find.walk_says': 'Stand at each corner in turn and add it. The boundary appears once you have added three corners.',
  'find.add_corner': 'Add a corner at my location',
  'find.corner_added': 'Corner {n} added, accurate to {m} m.',
  'find.drop_corner': 'Remove the last corner',
  'find.metres': 'In metres from a point',
  'find.metres_label': 'Corners in metres',
  'find.metres_start': 'Enter the coordinates of the starting point above, or go to your location.',
  'find.metres_hint':
    'One corner per line: metres east, metres north of the coordinates above. Use negative numbers for west and south. For example 120, 80',
  'find.file': 'From a GeoJSON or KML file',
  'find.no_ground':
    '{name} doesn’t contain a polygon that can be used. Use a GeoJSON or KML file with a polygon of at least three corners.',
  'find.holes': {
    one: 'One hole in {name} was left out, because drawing doesn’t support holes. The boundary includes the area of the hole.',
    other: '{n} holes in {name} were left out, because drawing doesn’t support holes. The boundary includes the areas of the holes.',
  },
  'find.inside': {
    one: 'One shape in {name} was left out, because it is inside another.',
    other: '{n} shapes in {name} were left out, because they are inside others.',
  },
  'find.flats': {
    one: 'One polygon in {name} was left out, because it has fewer than three corners.',
    other: '{n} polygons in {name} were left out, because they have fewer than three corners.',
  },
} as const
