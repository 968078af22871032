ln -s nowhere dangling; ln -s loop loop; : > file
for r in dangling loop file file/x; do noisefloor --runs $r fwq -n 50 --work 1000; echo "$r: $?"; done
