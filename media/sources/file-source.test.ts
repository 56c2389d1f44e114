import { expect, test } from 'vitest';
import { createSource, type Probed } from './file-source.ts';

const untimed = {
  index: 0,
  codec_type: 'video',
  width: 1920,
  height: 1080,
  avg_frame_rate: '30000/1001',
  r_frame_rate: '30/1',
};
const picture = { ...untimed, duration: '12.5' };
const sound = { index: 1, codec_type: 'audio' };

test('reads a video with audio', () => {
  expect(createSource({ streams: [picture, sound] })).toEqual({
    width: 1920,
    height: 1080,
    frameRate: 30,
    duration_s: 12.5,
    pictureIndex: 0,
    soundIndex: 1,
  });
});

test("uses the container's duration if the stream has none", () => {
  expect(createSource({ streams: [untimed], format: { duration: '7' } })?.duration_s).toBe(7);
});

test("turns a phone's video upright, and makes pixels square", () => {
  const portrait = createSource({ streams: [{ ...picture, side_data_list: [{ rotation: -90 }] }] });
  expect(portrait).toMatchObject({ width: 1080, height: 1920 });
  // A PAL DVD in 16:9 has a width of 720 * 64 / 45 = 1024.
  const pal = createSource({
    streams: [{ ...picture, width: 720, height: 576, sample_aspect_ratio: '64:45' }],
  });
  expect(pal).toMatchObject({ width: 1024, height: 576 });
});

test.each<[string, Probed]>([
  ['sound alone', { streams: [sound], format: { duration: '3' } }],
  ["an album's cover", { streams: [{ ...picture, disposition: { attached_pic: 1 } }, sound] }],
  ['a still picture', { streams: [untimed], format: {} }],
  ['nothing', {}],
])('%s is not a video', (_, probed) => {
  expect(createSource(probed)).toBeUndefined();
});
