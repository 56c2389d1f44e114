import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Player } from './Player.tsx';

const film = new URLSearchParams(location.search).get('film') ?? 'http://localhost:8081/manifest.mpd';

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <Player film={film} />
  </StrictMode>,
);
