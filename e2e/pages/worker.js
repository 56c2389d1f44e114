// A service worker that fetches requested segments. With ?keep it also stores the responses in Cache
// storage, and answers later requests from there.
/* global location, addEventListener, skipWaiting, clients, fetch, caches */
const KEPT = new URL(location.href).searchParams.has('keep') ? 'segments' : undefined;

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname.endsWith('.m4s')) event.respondWith(answer(event.request));
});

async function answer(request) {
  if (!KEPT) return fetch(request);
  const cache = await caches.open(KEPT);
  // The query contains `rtp` and does not identify the segment.
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  const response = await fetch(request);
  await cache.put(request, response.clone());
  return response;
}
