// Which files can import which. Each kind of file is one file, or a folder once there are several: domain.ts, or domain/….ts.
const word = w => [`/${w}\\.ts$`, `/${w}/[^/]+\\.ts$`]
const PURE = [...word('domain'), ...word('schema')]
const TESTS = '\\.test\\.ts$'
const no = (name, from, to) => ({ name, severity: 'error', from: { pathNot: TESTS, ...from }, to })

module.exports = {
  forbidden: [
    // A dynamic import doesn't count as part of a circle, because everything else has been loaded by then.
    no('no-circles', {}, { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } }),
    no('base-knows-nobody', { path: '^server/base/' }, { path: '^server/(kernel|rooms|app|groups|main)' }),
    no('kernel-knows-no-room', { path: '^server/kernel/' }, { path: '^server/(rooms|app|groups|main)' }),
    no(
      'kernels-meet-at-doors',
      { path: '^server/kernel/([^/]+)/' },
      { path: '^server/kernel/', pathNot: ['^server/kernel/$1/', '/(door|kit)\\.ts$', ...PURE] },
    ),
    no('rooms-use-kernels-by-doors', { path: '^server/rooms/' }, { path: '^server/kernel/', pathNot: ['/(door|kit)\\.ts$', ...PURE] }),
    // A room imports from other rooms only their door and pure files, in its own group, too. What the rooms of a group share is in the folder `kit` of the group.
    no(
      'rooms-meet-at-doors',
      { path: '^server/rooms/([^/]+)/([^/]+)/' },
      {
        path: '^server/rooms/',
        pathNot: ['^server/rooms/$1/$2/', '^server/rooms/$1/kit/', '^server/rooms/[^/]+/[^/]+/door\\.ts$', ...PURE],
      },
    ),
    no('kit-of-a-group-is-private', { path: '^server/rooms/([^/]+)/' }, { path: '^server/rooms/[^/]+/kit/', pathNot: '^server/rooms/$1/' }),
    // A kit is below the rooms of its group: of them it imports only what is pure.
    no(
      'kit-is-below-its-rooms',
      { path: '^server/rooms/([^/]+)/kit/' },
      { path: '^server/rooms/$1/', pathNot: ['^server/rooms/$1/kit/', ...PURE] },
    ),
    no('app-takes-room-ts', { path: '^server/(app|groups|main|worker)\\.ts$' }, { path: '^server/rooms/', pathNot: '/room\\.ts$' }),
    no(
      'pure-stays-pure',
      { path: PURE },
      {
        path: [
          '^server/base/(engine|db|ctx|http|log|settings)\\.ts$',
          '/(queries|actions|routes|jobs|door|room|kit)\\.ts$',
          'node_modules/(kysely|fastify|pg|pg-boss)/',
        ],
      },
    ),
    no('pure-has-no-node', { path: PURE }, { dependencyTypes: ['core'] }),
    no(
      'sql-only-in-queries',
      { path: '^server/(rooms|kernel)/', pathNot: [...word('queries'), TESTS] },
      { path: 'node_modules/(kysely|pg)/' },
    ),
    no(
      'http-only-in-routes',
      { path: '^server/(rooms|kernel)/', pathNot: [...word('routes'), '/(kit|room)\\.ts$', '^server/kernel/sockets/', TESTS] },
      { path: ['node_modules/fastify', '^server/base/http\\.ts$'] },
    ),
    no('queries-decide-nothing', { path: word('queries') }, { path: '/(actions|routes|jobs|room)\\.ts$' }),
    no('web-speaks-contract', { path: '^web/' }, { path: '^server/' }),
    no(
      'web-rooms-knock-too',
      { path: '^web/rooms/([^/]+)/([^/]+)/' },
      { path: '^web/rooms/', pathNot: ['^web/rooms/$1/$2/', '/door\\.tsx?$'] },
    ),
    no('server-knows-no-web', { path: '^(server|shared)/' }, { path: '^web/' }),
    no('shared-stands-alone', { path: '^shared/' }, { path: '^(server|web|contract)/' }),
  ],
  options: { tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.json' }, doNotFollow: { path: 'node_modules' } },
}
