#!/bin/sh
# Makes the fonts for all scripts but Latin, Greek and Cyrillic: what is not drawn is left out of them.
# Usage: subset.sh <folder with the unpacked sources> <folder for the fonts>; README.md says which they are.
set -eu
from=$1 to=$2

# make <font> <source> <characters> [options]
make() {
    name=$1 source=$2 characters=$3
    shift 3
    pyftsubset "$from/$source" --unicodes="$characters" --output-file="$to/$name" \
        --no-hinting --name-IDs=0,1,2,3,4,5,6,13,14 --drop-tables+=BASE,DSIG,VORG,vhea,vmtx,STAT,MATH "$@"
}

noto=usr/share/fonts/truetype/noto
every=0020-10FFFF
make NotoSans-Medium.ttf $noto/NotoSans-Medium.ttf \
    0020-052F,1AB0-1AFF,1C80-1C8F,1D00-209F,20A0-20CF,20D0-20FF,2C60-2C7F,2DE0-2DFF,A640-A69F,A720-A7FF,AB30-AB6F,25CC \
    --layout-features=ccmp,mark,mkmk
for script in Armenian Ethiopic Georgian Hebrew; do
    make NotoSans$script-Medium.ttf $noto/NotoSans$script-Medium.ttf $every
done
# The fonts for user interfaces fit a line that is as high as one of Latin letters.
for script in Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu \
    Thai; do
    make NotoSans${script}UI-Regular.ttf $noto/NotoSans${script}UI-Regular.ttf $every
done
make NotoSansCJKjp-Medium.otf usr/share/fonts/opentype/noto/NotoSansCJK-Medium.ttc \
    3000-33FF,3400-9FFF,AC00-D7A3,F900-FAFF,FE30-FE4F,FF00-FFEF,1F200-1F2FF,20000-3FFFF \
    --font-number=0 --layout-features= --drop-tables+=GDEF,GPOS,GSUB
make NotoEmoji-Medium.ttf package/files/noto-emoji-emoji-500-normal.woff2 $every --flavor=
make NotoSansSymbols-Medium.ttf $noto/NotoSansSymbols-Medium.ttf 2000-2BFF,1F000-1FFFF --layout-features=
make NotoSansSymbols2-Regular.ttf $noto/NotoSansSymbols2-Regular.ttf 2000-2BFF,1F000-1F2FF,1F650-1F67F,1F780-1F8FF \
    --layout-features=
